#!/bin/bash
#SBATCH --gres=gpu:a100:2
#SBATCH -N 2
#SBATCH --ntasks-per-node 8
#SBATCH --mem=lots
echo hello
