import tensorflow as tf
if "__main__" == __name__:
    pass
