"""A real Kubernetes control plane on loopback, for tests and benchmarks.

Read in this order:
  cli.py         the commands a person types
  supervisor.py  the one process that owns a control plane: starts it, answers commands, takes everything down
  programs.py    the command lines of etcd, kube-apiserver, kube-controller-manager and kwok
  processes.py   child processes that cannot outlive the supervisor
  identities.py  who may log in, and their kubeconfig files
  pki.py         certificates, made with the openssl command
  objects.py     what is created in the cluster before it counts as ready
  api.py         the few calls we make ourselves, to kube-apiserver and to etcd
  audit.py       counting requests in the audit log
  places.py      which directory a control plane lives in, its lock, and removing what dead ones left
  ports.py       free ports that stay ours while a server is down
"""
