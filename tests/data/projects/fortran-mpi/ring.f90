program ring
    use mpi_f08
    implicit none
    call MPI_Init()
end program
