from mpi4py import MPI
import numpy as np

comm = MPI.COMM_WORLD
if __name__ == "__main__":
    print(comm.rank)
