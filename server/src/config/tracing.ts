import { brand } from '@postrider/contract';

/** How spans are sent. Where they go, and which are kept, is read by OpenTelemetry itself from the variables of its specification. */
export interface TracingSettings {
  /** The name of this service; null if the variables have one. */
  service: string | null;
}

/** Returns how spans are sent, by the variables of OpenTelemetry; null without an endpoint, or if they are turned off. */
export function readTracing(environment: NodeJS.ProcessEnv): TracingSettings | null {
  const read = (name: string) => environment[name]?.trim() || null;
  const endpoint = read('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT') ?? read('OTEL_EXPORTER_OTLP_ENDPOINT');
  const isOff =
    read('OTEL_SDK_DISABLED')?.toLowerCase() === 'true' || read('OTEL_TRACES_EXPORTER') === 'none';
  if (endpoint === null || isOff) return null;
  const attributes = read('OTEL_RESOURCE_ATTRIBUTES')?.split(',') ?? [];
  const isNamed =
    read('OTEL_SERVICE_NAME') !== null ||
    attributes.some((attribute) => attribute.trim().startsWith('service.name='));
  return { service: isNamed ? null : brand.traces.service };
}
