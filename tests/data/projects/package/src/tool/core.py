from .torch import thing
