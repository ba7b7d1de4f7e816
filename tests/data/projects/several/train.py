import tensorflow as tf
if __name__ == "__main__":
    pass
