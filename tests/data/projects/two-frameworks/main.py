import torch
import tensorflow
