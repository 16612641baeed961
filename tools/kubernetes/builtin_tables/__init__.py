"""The tables of the built-in kinds, made from a real Kubernetes.

Read in this order:
  main.py      where the facts come from, and where they go
  kinds.py     which kinds we serve
  go_types.py  structs, aliases and tags out of Go sources
  openapi.py   what the server's documents say about the same fields
  table.py     the lines that are written
"""
