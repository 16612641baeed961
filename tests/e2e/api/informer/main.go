// Prints what client-go's informers ask a server and what they see, a line each, until standard input ends.
//
//	informer KUBECONFIG
//
// One informer for each way in which objects are read: typed (protobuf is preferred), dynamic (JSON) and metadata only.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/metadata/metadatainformer"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
)

var printing sync.Mutex

func say(format string, arguments ...any) {
	printing.Lock()
	defer printing.Unlock()
	fmt.Printf(format+"\n", arguments...)
}

// What a request is about, without what differs from run to run.
type watched struct{ next http.RoundTripper }

func (w watched) RoundTrip(request *http.Request) (*http.Response, error) {
	query := request.URL.Query()
	for _, varying := range []string{"timeoutSeconds", "timeout"} {
		query.Del(varying)
	}
	if version := query.Get("resourceVersion"); version != "" && version != "0" {
		query.Set("resourceVersion", "N")
	}
	response, err := w.next.RoundTrip(request)
	status := 0
	if err == nil {
		status = response.StatusCode
	}
	say("request %s %s?%s %d", request.Method, request.URL.Path, query.Encode(), status)
	return response, err
}

// An object without what no two servers give alike.
func shown(object any) string {
	if gone, ok := object.(cache.DeletedFinalStateUnknown); ok {
		return "unknown " + gone.Key
	}
	accessor, err := meta.Accessor(object)
	if err != nil {
		return err.Error()
	}
	fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(object)
	if err != nil {
		return err.Error()
	}
	fields["metadata"] = map[string]any{"name": accessor.GetName(), "labels": accessor.GetLabels(),
		"generation": accessor.GetGeneration(), "deleting": accessor.GetDeletionTimestamp() != nil,
		"finalizers": accessor.GetFinalizers()}
	text, err := json.Marshal(fields)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

func follow(name string, informer cache.SharedIndexInformer, stop <-chan struct{}) {
	_, err := informer.AddEventHandler(cache.ResourceEventHandlerDetailedFuncs{
		AddFunc: func(object any, initial bool) { say("%s add initial=%v %s", name, initial, shown(object)) },
		UpdateFunc: func(old, object any) { say("%s update %s", name, shown(object)) },
		DeleteFunc: func(object any) { say("%s delete %s", name, shown(object)) },
	})
	must(err)
	go informer.Run(stop)
	if !cache.WaitForCacheSync(stop, informer.HasSynced) {
		must(fmt.Errorf("%s does not become complete", name))
	}
	say("%s complete", name)
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func main() {
	config, err := clientcmd.BuildConfigFromFlags("", os.Args[1])
	must(err)
	config.Wrap(func(next http.RoundTripper) http.RoundTripper { return watched{next} })
	typedConfig := rest.CopyConfig(config)
	typedConfig.ContentType = "application/vnd.kubernetes.protobuf"
	typedConfig.AcceptContentTypes = "application/vnd.kubernetes.protobuf,application/json"
	stop := make(chan struct{})
	only := func(options *metav1.ListOptions) { options.LabelSelector = "watched=yes" }

	typed := informers.NewSharedInformerFactoryWithOptions(kubernetes.NewForConfigOrDie(typedConfig), 0*time.Second,
		informers.WithTweakListOptions(only))
	follow("typed", typed.Core().V1().ConfigMaps().Informer(), stop)
	follow("nodes", typed.Core().V1().Nodes().Informer(), stop)
	lathes := schema.GroupVersionResource{Group: "example.org", Version: "v1", Resource: "lathes"}
	custom := dynamicinformer.NewDynamicSharedInformerFactory(dynamic.NewForConfigOrDie(config), 0)
	follow("dynamic", custom.ForResource(lathes).Informer(), stop)
	narrow := metadatainformer.NewFilteredSharedInformerFactory(metadata.NewForConfigOrDie(config), 0,
		metav1.NamespaceAll, only)
	follow("metadata", narrow.ForResource(schema.GroupVersionResource{Version: "v1", Resource: "secrets"}).Informer(), stop)

	_, _ = io.Copy(io.Discard, os.Stdin)
}
