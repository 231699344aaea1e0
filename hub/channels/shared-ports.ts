// Settings of the SRT port and the RTMP port that all channels share.

import { LOG_WARNING } from '../../contract/log.ts'
import type { EngineClient } from '../../engine/interfaces/engine-client.ts'
import type { Store } from '../store/store.ts'
import { type SharedPortName, SharedPortTrial } from './shared-port-trial.ts'

export type { SharedPortName }

/** Port numbers used instead of the stored ones, and of the default port for files; 0 lets the system choose. */
export type PortOverrides = Partial<Record<SharedPortName | 'files', number>>

export interface SharedPorts {
  /** Opens the ports. Until this call no shared port is open. */
  openPorts(overrides: PortOverrides): Promise<void>
  /** Applies a setting that a user changed. It replaces an override. */
  settingChanged(name: SharedPortName): Promise<void>
  /** The open port, or the port which the first channel that needs it will open; undefined before `open`. */
  portOf(name: SharedPortName): number | undefined
  /** A new number that waits for its confirmation. */
  trial: SharedPortTrial
  close(): void
}

/** @param confirmTime milliseconds until a new port is undone without a confirmation; for tests */
export function createSharedPorts(
  { settings, database, changes, logEvent }: Pick<Store, 'settings' | 'database' | 'changes' | 'logEvent'>,
  engine: Pick<EngineClient, 'configurePorts' | 'observePorts'>,
  confirmTime?: number
): SharedPorts {
  let overrides: PortOverrides | undefined
  let onTrial: PortOverrides = {}

  async function configure(): Promise<void> {
    if (!overrides) return
    const srt = settings.get('srt')
    const rtmp = settings.get('rtmp')
    await engine.configurePorts({
      srt: { ...srt, port: onTrial.srt ?? overrides.srt ?? srt.port },
      rtmp: { port: onTrial.rtmp ?? overrides.rtmp ?? rtmp.port }
    })
  }

  function settingChanged(name: SharedPortName): Promise<void> {
    delete overrides?.[name]
    return configure()
  }

  function storePort(name: SharedPortName, port: number): void {
    onTrial = {}
    database.transaction(() => {
      if (name === 'srt') settings.set('srt', { ...settings.get('srt'), port })
      else settings.set('rtmp', { port })
    })
    void settingChanged(name)
  }

  const trial = new SharedPortTrial({
    engine,
    movePort(name, port) {
      onTrial = port === undefined ? {} : { [name]: port }
      return configure()
    },
    store: storePort,
    onChange: () => changes.markChanged('status'),
    onEvent: (event, detail) =>
      logEvent({ event, detail, ...(event === 'port-not-confirmed' && { level: LOG_WARNING }) }),
    confirmTime
  })

  return {
    openPorts(ports) {
      overrides = { ...ports }
      return configure()
    },
    settingChanged,
    portOf(name) {
      const { port } = engine.observePorts()[name]
      return port || (overrides && (overrides[name] ?? settings.get(name).port)) || undefined
    },
    trial,
    close: () => trial.close()
  }
}
