"""
import tensorflow
"""
try:
    import cupy as np
except ImportError:
    import numpy as np
text = 'import torch'  # import jax
key = __import__("os").environ.get("MY_API_KEY")
