#!/bin/bash
#SBATCH -N1 -c1 --mem=100M -t 3:00
python3 -c '
import time
held = bytearray(300 << 20)
for i in range(0, len(held), 4096):
    held[i] = 1
time.sleep(60)
print("survived")
'
