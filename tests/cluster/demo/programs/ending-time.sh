#!/bin/bash
#SBATCH -N1 -c1 --mem=100M -t 1
sleep 300
