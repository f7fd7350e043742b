#!/bin/sh
# Creates every missing Secret that the manifests refer to; existing ones stay as they are.
#   deploy/kubernetes/create-secrets.sh [namespace]
# STRIPE_SECRET_KEY and the other optional values are read from the environment if they are set there.
set -eu
namespace=${1:-storefront}

# Start with a letter: NATS would parse a password of digits as a number.
password() { printf 's%s' "$(openssl rand -hex 24)"; }
base64url() { openssl base64 -A | tr '+/' '-_' | tr -d '='; }

# create <secret> <key=value>…
create() {
  secret=$1
  shift
  if kubectl --namespace "$namespace" get secret "$secret" >/dev/null 2>&1; then
    echo "secret/$secret exists already, and was not changed"
    return
  fi
  # Through a pipe: all users of the machine can read the arguments of a process.
  for pair in "$@"; do
    [ -n "${pair#*=}" ] && printf '%s\n' "$pair"
  done | kubectl --namespace "$namespace" create secret generic "$secret" --from-env-file=/dev/stdin
}

# A key of storefront-seal, the former name of storefront-secrets-key: only the same key decrypts what is stored.
former() {
  kubectl --namespace "$namespace" get secret storefront-seal -o "jsonpath={.data.$1}" 2>/dev/null | openssl base64 -A -d
}

actor_key=$(openssl genpkey -algorithm ed25519)
create storefront-actor \
  "ACTOR_PRIVATE_KEY=$(echo "$actor_key" | openssl pkey -outform DER | base64url)" \
  "ACTOR_PUBLIC_KEY=$(echo "$actor_key" | openssl pkey -pubout -outform DER | base64url)"
secrets_key=$(former SECRETS_KEY)
previous_secrets_key=$(former SECRETS_KEY_PREVIOUS)
create storefront-secrets-key "SECRETS_KEY=${secrets_key:-$(password)}" \
  "SECRETS_KEY_PREVIOUS=${SECRETS_KEY_PREVIOUS:-$previous_secrets_key}"
create storefront-browser "BROWSER_COOKIE_KEY=$(password)"
create storefront-buyers "BUYER_HASH_KEY=$(password)" "BUYER_HASH_KEY_PREVIOUS=${BUYER_HASH_KEY_PREVIOUS:-}"
create storefront-key "STOREFRONT_KEY=${STOREFRONT_KEY:-$(password)}"
create storefront-redis "REDIS_PASSWORD=$(password)"
create storefront-migrate "NATS_PASSWORD=$(password)"
create storefront-gateway "NATS_PASSWORD=$(password)"
create storefront-catalog "NATS_PASSWORD=$(password)" "DATABASE_PASSWORD=$(password)" \
  "MEDIA_S3_ACCESS_KEY_ID=${MEDIA_S3_ACCESS_KEY_ID:-}" "MEDIA_S3_SECRET_ACCESS_KEY=${MEDIA_S3_SECRET_ACCESS_KEY:-}"
create storefront-cart "NATS_PASSWORD=$(password)" "DATABASE_PASSWORD=$(password)"
create storefront-orders "NATS_PASSWORD=$(password)" "DATABASE_PASSWORD=$(password)" "KEPT_ANSWERS_KEY=$(password)" \
  "RAZORPAY_KEY_ID=${RAZORPAY_KEY_ID:-}" "RAZORPAY_KEY_SECRET=${RAZORPAY_KEY_SECRET:-}" \
  "RAZORPAY_WEBHOOK_SECRET=${RAZORPAY_WEBHOOK_SECRET:-}" \
  "STRIPE_SECRET_KEY=${STRIPE_SECRET_KEY:-}" "STRIPE_WEBHOOK_SECRET=${STRIPE_WEBHOOK_SECRET:-}"
create storefront-identity "NATS_PASSWORD=$(password)" "DATABASE_PASSWORD=$(password)" \
  "ADMIN_PASSWORD=${ADMIN_PASSWORD:-$(password)}"
create storefront-notifier "NATS_PASSWORD=$(password)" "DATABASE_PASSWORD=$(password)" \
  "STOREFRONT_WEBHOOK_SECRET=whsec_$(openssl rand -base64 24)" "SMTP_URL=${SMTP_URL:-}"
# CloudNativePG uses it when it creates the server.
create postgres-superuser "username=postgres" "password=$(password)"
# For the component archive.
if [ -n "${BACKUP_S3_ACCESS_KEY_ID:-}" ]; then
  create postgres-backup "ACCESS_KEY_ID=$BACKUP_S3_ACCESS_KEY_ID" "ACCESS_SECRET_KEY=$BACKUP_S3_SECRET_ACCESS_KEY"
fi
