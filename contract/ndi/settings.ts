export type { NdiDiscoverySettings, NdiServerAddress, NdiServerSettings, NdiServerState } from './settings.schema.ts'

export const NDI_SERVER_STATES = ['not-enabled', 'starting', 'started', 'retry', 'not-installed'] as const
