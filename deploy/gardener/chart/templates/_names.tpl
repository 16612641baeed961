{{/* The names are upstream's and do not follow the release's: the autoscaler asks for this Deployment, and an apply over
     upstream's own replaces it. So a namespace has one release. */}}
{{- define "name" -}}machine-controller-manager{{- end -}}

{{/* The selector of upstream's Deployment, which cannot be changed later. */}}
{{- define "selector" -}}
role: {{ include "name" . }}
{{- end -}}

{{- define "labels" -}}
{{ include "selector" . }}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
{{- end -}}

{{- define "subjects" -}}
- kind: ServiceAccount
  name: {{ include "name" . }}
  namespace: {{ .Release.Namespace }}
{{- end -}}

{{/* Whether what is rendered goes to a cluster that machines join. */}}
{{- define "joinsHere" -}}
{{- if or (eq .Values.install "target-rights") (eq .Values.target.cluster "same") }}yes{{ end -}}
{{- end -}}
