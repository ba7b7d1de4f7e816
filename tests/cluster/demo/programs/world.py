# Every rank says who it is; their numbers are added up, over the network between the nodes.
from mpi4py import MPI
import numpy

world = MPI.COMM_WORLD
mine = numpy.full(100000, world.rank + 1.0)
total = numpy.empty_like(mine)
world.Allreduce(mine, total)
print(f"rank {world.rank} of {world.size} on {MPI.Get_processor_name()}", flush=True)
if world.rank == 0:
    print(f"sum {total[-1]}", flush=True)
