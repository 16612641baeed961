package main

import (
	"context"
	"errors"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	cloudclient "millwright.dev/benchmarks/cloud/client"
)

const finalizer = "benchmachine.infrastructure.cluster.x-k8s.io"

func benchMachine() *unstructured.Unstructured {
	object := &unstructured.Unstructured{}
	object.SetGroupVersionKind(schema.GroupVersionKind{Group: "infrastructure.cluster.x-k8s.io", Version: "v1beta2", Kind: "BenchMachine"})
	return object
}

type machineReconciler struct {
	client client.Client
	cloud  *cloudclient.Client
}

func (r machineReconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	object := benchMachine()
	if err := r.client.Get(ctx, request.NamespacedName, object); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !object.GetDeletionTimestamp().IsZero() {
		return ctrl.Result{}, r.remove(ctx, object)
	}
	if !ownedByMachine(object) { // its machine's controller has not taken it yet; it may be a left-over
		return ctrl.Result{}, nil
	}
	return ctrl.Result{}, r.provision(ctx, object)
}

func (r machineReconciler) provision(ctx context.Context, object *unstructured.Unstructured) error {
	if controllerutil.ContainsFinalizer(object, finalizer) {
		if id, _, _ := unstructured.NestedString(object.Object, "spec", "providerID"); id == "" {
			return r.makeVM(ctx, object)
		}
		return r.report(ctx, object)
	}
	before := client.MergeFrom(object.DeepCopy())
	controllerutil.AddFinalizer(object, finalizer)
	return r.client.Patch(ctx, object, before)
}

func (r machineReconciler) makeVM(ctx context.Context, object *unstructured.Unstructured) error {
	vm, err := r.cloud.Get(ctx, object.GetName())
	if errors.Is(err, cloudclient.ErrNotFound) {
		vm, err = r.cloud.Create(ctx, object.GetName())
	}
	if err != nil {
		return err
	}
	before := client.MergeFrom(object.DeepCopy())
	if err := unstructured.SetNestedField(object.Object, vm.ID, "spec", "providerID"); err != nil {
		return err
	}
	return r.client.Patch(ctx, object, before)
}

func (r machineReconciler) report(ctx context.Context, object *unstructured.Unstructured) error {
	if done, _, _ := unstructured.NestedBool(object.Object, "status", "initialization", "provisioned"); done {
		return nil
	}
	before := client.MergeFrom(object.DeepCopy())
	if err := unstructured.SetNestedField(object.Object, true, "status", "initialization", "provisioned"); err != nil {
		return err
	}
	return r.client.Status().Patch(ctx, object, before)
}

func (r machineReconciler) remove(ctx context.Context, object *unstructured.Unstructured) error {
	if !controllerutil.ContainsFinalizer(object, finalizer) {
		return nil
	}
	if err := r.cloud.Delete(ctx, object.GetName()); err != nil && !errors.Is(err, cloudclient.ErrNotFound) {
		return err
	}
	before := client.MergeFrom(object.DeepCopy())
	controllerutil.RemoveFinalizer(object, finalizer)
	return client.IgnoreNotFound(r.client.Patch(ctx, object, before))
}

func ownedByMachine(object *unstructured.Unstructured) bool {
	for _, owner := range object.GetOwnerReferences() {
		if owner.Kind == "Machine" {
			return true
		}
	}
	return false
}
