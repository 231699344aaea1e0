export type { DeviceConfig, GlobalConfig, InputConfig, OutputConfig } from './config.schema.ts'
