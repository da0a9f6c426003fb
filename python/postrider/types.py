"""The types of requests and responses, generated from the contract."""
from ._generated.types import *
from ._generated.types import __all__ as __all__
