"""Ours and the systems it replaces, on the same work, on the same API server, in one run: ./bench

Read in this order:
  main.py        the command line: which contenders, sizes, workloads and rounds
  life.py        one contender's life on a fresh control plane, workload after workload
  workloads.py   what each workload does to it
  measure.py     what is noted of a stretch of time: wall, CPU, memory, requests, calls to the cloud
  contenders.py  the programs of each contender, and their flags
  gardener.py    the work in the words of Gardener's API, and when it is done
  clusterapi.py  the same in the words of Cluster API
  plane.py       the control plane, and a client of it
  cloud.py       the simulated cloud's process
  programs.py    processes: started, followed in /proc, ended
  audit.py       what the audit log says of a stretch of time
  report.py      JSON, a Markdown table, plots; plot.py draws them
"""
