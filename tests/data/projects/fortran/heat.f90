! use mpi_f08 would come here
program heat
    implicit none
    print *, "heat"
end program
