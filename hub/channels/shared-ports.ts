// Settings of the SRT port and the RTMP port that all channels share.
import type { EngineClient } from '../../engine/interfaces/engine-client.ts'
import type { Store } from '../store/store.ts'

/** The setting of a shared port. */
export type SharedPortName = 'srt' | 'rtmp'

/** Port numbers used instead of the stored ones, and of the default port for files; 0 lets the system choose. */
export type PortOverrides = Partial<Record<SharedPortName | 'files', number>>

export interface SharedPorts {
  /** Opens the ports. Until this call no shared port is open. */
  openPorts(overrides: PortOverrides): Promise<void>
  /** Applies a setting that a user changed. It replaces an override. */
  settingChanged(name: SharedPortName): Promise<void>
  /** The open port, or the port which the first channel that needs it will open; undefined before `open`. */
  portOf(name: SharedPortName): number | undefined
}

export function createSharedPorts(
  { settings }: Pick<Store, 'settings'>,
  engine: Pick<EngineClient, 'configurePorts' | 'observePorts'>
): SharedPorts {
  let overrides: PortOverrides | undefined

  async function configure(): Promise<void> {
    if (!overrides) return
    const srt = settings.get('srt')
    const rtmp = settings.get('rtmp')
    await engine.configurePorts({
      srt: { ...srt, port: overrides.srt ?? srt.port },
      rtmp: { port: overrides.rtmp ?? rtmp.port }
    })
  }

  return {
    openPorts(ports) {
      overrides = { ...ports }
      return configure()
    },
    settingChanged(name) {
      delete overrides?.[name]
      return configure()
    },
    portOf(name) {
      const { port } = engine.observePorts()[name]
      return port || (overrides && (overrides[name] ?? settings.get(name).port)) || undefined
    }
  }
}
