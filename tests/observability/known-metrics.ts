export interface KnownMetric {
  kind: 'counter' | 'gauge' | 'histogram'
  labels: readonly string[]
}

const counter = (...labels: string[]): KnownMetric => ({ kind: 'counter', labels })
const gauge = (...labels: string[]): KnownMetric => ({ kind: 'gauge', labels })
const histogram = (...labels: string[]): KnownMetric => ({ kind: 'histogram', labels })

/**
 * The metrics that services serve at `/metrics`, for dashboards and alerts. Every series also has the label `service`.
 */
export const KNOWN_METRICS: Readonly<Record<string, KnownMetric>> = {
  http_server_request_duration_seconds: histogram('method', 'route', 'status'),
  storefront_edge_cache_requests_total: counter('outcome'),
  storefront_edge_cache_bytes: gauge(),
  storefront_rate_limited_total: counter('limit'),
  storefront_upstream_in_flight: gauge('upstream'),
  storefront_upstream_faults_total: counter('upstream', 'fault'),
  storefront_upstream_retries_total: counter('upstream'),
  storefront_load_shed_total: counter(),
  storefront_database_connections: gauge('state'),
  storefront_database_waiting: gauge(),
  storefront_outbox_events: gauge(),
  storefront_outbox_oldest_age_seconds: gauge(),
  storefront_consumer_pending: gauge('event'),
  storefront_consumer_unacknowledged: gauge('event'),
  storefront_consumer_handled_total: counter('event', 'outcome'),
  storefront_dead_letters_total: counter('event'),
  storefront_events_published_again_total: counter('event', 'consumer'),
  storefront_service_requests_duration_seconds: histogram('request', 'side', 'outcome'),
  storefront_nats_connected: gauge(),
  storefront_redis_connected: gauge(),
  storefront_scrape_errors_total: counter('source'),
  storefront_reservations_open: gauge(),
  storefront_reservation_requests_total: counter('outcome'),
  storefront_reservation_batch_size: histogram(),
  storefront_reservation_requests_undecided: gauge(),
  storefront_oversold_units: gauge(),
  storefront_price_projection_reads_total: counter('outcome'),
  storefront_orders_total: counter('event'),
  storefront_checkouts_total: counter('outcome'),
  storefront_payment_provider_duration_seconds: histogram('provider', 'outcome'),
  storefront_reconciliation_findings: gauge(),
  storefront_webhook_attempts_total: counter('outcome'),
  storefront_webhook_deliveries_waiting: gauge(),
  storefront_webhook_oldest_due_age_seconds: gauge(),
  storefront_webhook_circuits_open: gauge(),
  storefront_mails_total: counter('kind', 'outcome'),
  storefront_mails_waiting: gauge(),
  storefront_sign_ins_total: counter('kind', 'outcome'),
  // The metrics of prom-client.
  process_cpu_seconds_total: counter(),
  process_resident_memory_bytes: gauge(),
  process_start_time_seconds: gauge(),
  nodejs_eventloop_lag_p99_seconds: gauge(),
  nodejs_heap_size_used_bytes: gauge(),
  nodejs_gc_duration_seconds: histogram('kind'),
}

/** The series that Prometheus creates itself. */
const METRICS_OF_PROMETHEUS: Readonly<Record<string, readonly string[]>> = {
  up: [],
  ALERTS: ['alertname', 'alertstate', 'severity', 'event'],
  prometheus_rule_evaluation_failures_total: ['rule_group'],
}

/** `scope`, the cluster, is set by the PodMonitor of deploy/kubernetes. */
const OF_CLOUDNATIVEPG = ['scope', 'pod']
const OF_JETSTREAM = ['server_name', 'cluster', 'meta_leader', 'is_meta_leader']
/** The series of exporters beside replicated servers, with the labels that rules may use. */
const METRICS_OF_EXPORTERS: Readonly<Record<string, readonly string[]>> = {
  // Patroni serves its own.
  patroni_primary: ['scope'],
  patroni_replica: ['scope'],
  patroni_sync_standby: ['scope'],
  patroni_postgres_running: ['scope'],
  patroni_postgres_timeline: ['scope'],
  patroni_xlog_location: ['scope'],
  patroni_xlog_replayed_location: ['scope'],
  patroni_dcs_last_seen: ['scope'],
  // HAProxy in front of PostgreSQL, with the scope of its target.
  haproxy_backend_active_servers: ['scope', 'proxy'],
  etcd_server_has_leader: [],
  // CloudNativePG: its instances, its default queries, and its plugin for backups.
  cnpg_collector_sync_replicas: [...OF_CLOUDNATIVEPG, 'value'],
  cnpg_collector_last_available_backup_timestamp: OF_CLOUDNATIVEPG,
  cnpg_pg_replication_in_recovery: OF_CLOUDNATIVEPG,
  cnpg_pg_replication_lag: OF_CLOUDNATIVEPG,
  cnpg_pg_replication_streaming_replicas: OF_CLOUDNATIVEPG,
  cnpg_pg_stat_archiver_failed_count: OF_CLOUDNATIVEPG,
  cnpg_pg_stat_replication_replay_diff_bytes: [...OF_CLOUDNATIVEPG, 'application_name', 'client_addr'],
  barman_cloud_cloudnative_pg_io_last_available_backup_timestamp: OF_CLOUDNATIVEPG,
  // postgres_exporter; the last two since its version 0.12.
  pg_stat_replication_pg_wal_lsn_diff: ['application_name', 'client_addr', 'state', 'slot_name'],
  pg_stat_archiver_failed_count: [],
  pg_replication_is_replica: [],
  pg_replication_lag_seconds: [],
  // pgbackrest_exporter
  pgbackrest_backup_since_last_completion_seconds: ['stanza', 'backup_type'],
  // prometheus-nats-exporter -jsz=all
  jetstream_server_jetstream_disabled: OF_JETSTREAM,
  jetstream_stream_last_seq: [...OF_JETSTREAM, 'account', 'stream_name', 'stream_leader', 'is_stream_leader'],
  // redis_exporter
  redis_connected_slave_offset_bytes: ['slave_ip', 'slave_port', 'slave_state'],
  redis_connected_slave_lag_seconds: ['slave_ip', 'slave_port', 'slave_state'],
  redis_master_repl_offset: [],
  redis_sentinel_master_ok_sentinels: ['master_name', 'master_address'],
  redis_sentinel_master_status: ['master_name', 'master_address', 'master_status'],
}

/** The labels of a series of a service, of an exporter or of Prometheus, or undefined for an unknown series. */
export function labelsOf(series: string): readonly string[] | undefined {
  const own = METRICS_OF_PROMETHEUS[series] ?? METRICS_OF_EXPORTERS[series]
  if (own) return [...own, 'service', 'instance', 'job']
  const [, base = series, suffix] = /^(.*_seconds|.*_size)_(bucket|sum|count)$/.exec(series) ?? []
  const metric = KNOWN_METRICS[base]
  // A histogram consists of three series, none of which has its name.
  if (!metric || (metric.kind === 'histogram') !== (suffix !== undefined)) return undefined
  return [...metric.labels, 'service', 'instance', 'job', ...(suffix === 'bucket' ? ['le'] : [])]
}
