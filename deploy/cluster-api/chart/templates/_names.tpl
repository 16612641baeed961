{{/* The names are upstream's and do not follow the release's: providers bind to them, definitions name the service, and an apply over
     upstream's own replaces it. So a cluster has one release. */}}
{{- define "name" -}}capi-controller-manager{{- end -}}
{{- define "account" -}}capi-manager{{- end -}}
{{- define "service" -}}capi-webhook-service{{- end -}}
{{- define "certificate" -}}capi-serving-cert{{- end -}}

{{/* The selector of upstream's Deployment, which cannot be changed later. */}}
{{- define "selector" -}}
cluster.x-k8s.io/provider: cluster-api
control-plane: controller-manager
{{- end -}}

{{- define "labels" -}}
{{ include "selector" . }}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
{{- end -}}

{{- define "subjects" -}}
- kind: ServiceAccount
  name: {{ include "account" . }}
  namespace: {{ .Release.Namespace }}
{{- end -}}

{{/* Puts the authority of the webhooks' certificate, and the namespace of their service, into a clientConfig. */}}
{{- define "place" -}}
{{- $_ := set .config.service "namespace" .top.Release.Namespace -}}
{{- if and (not .top.Values.webhooks.certManager) .top.Values.webhooks.caBundle -}}
{{- $_ := set .config "caBundle" (b64enc .top.Values.webhooks.caBundle) -}}
{{- end -}}
{{- end -}}

{{- define "annotations" -}}
{{- if .Values.webhooks.certManager }}
cert-manager.io/inject-ca-from: {{ .Release.Namespace }}/{{ include "certificate" . }}
{{- end }}
{{- end -}}
