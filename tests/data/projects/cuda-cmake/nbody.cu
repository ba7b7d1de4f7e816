__global__ void step() {}
int main() { step<<<1, 1>>>(); }
