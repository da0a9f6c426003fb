/** The names of settings in error messages, for code on a lower layer than the code that reads them. */
export const settingNames = {
  dataDir: 'POSTRIDER_DATA_DIR',
  secret: 'POSTRIDER_SECRET',
  httpHost: 'POSTRIDER_HTTP_HOST',
  httpPort: 'POSTRIDER_HTTP_PORT',
  smtpHost: 'POSTRIDER_SMTP_HOST',
  smtpPort: 'POSTRIDER_SMTP_PORT',
  tlsCert: 'POSTRIDER_TLS_CERT',
  tlsKey: 'POSTRIDER_TLS_KEY',
  publicUrl: 'POSTRIDER_PUBLIC_URL',
  files: 'POSTRIDER_FILES',
  diskReserve: 'POSTRIDER_DISK_RESERVE',
  smtpRelay: 'POSTRIDER_SMTP_RELAY',
  sesRegion: 'POSTRIDER_SES_REGION',
  sesConfigurationSet: 'POSTRIDER_SES_CONFIGURATION_SET',
  dns: 'POSTRIDER_DNS',
  webhookAllowPrivate: 'POSTRIDER_WEBHOOK_ALLOW_PRIVATE',
} as const;
