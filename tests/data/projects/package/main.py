from tool.core import thing

if __name__ == "__main__":
    print(thing)
