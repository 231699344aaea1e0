// Creates the export and import of the configuration.
import { CONNECTION_STATE } from '../../contract/stream/protocols.ts'
import type { HubContext } from '../context.ts'
import { SigningKey } from '../export/signing-key.ts'
import { Transfer } from '../export/transfer.ts'

export function createTransfer(
  hub: Pick<HubContext, 'store' | 'hosts' | 'version' | 'engine' | 'dataFolder'>
): Transfer {
  const { store, hosts, version, engine, dataFolder = ':memory:' } = hub
  return new Transfer({
    store,
    key: new SigningKey(dataFolder),
    hostName: () => hosts.machineName,
    version,
    isOnAir: (channel) => engine.observe(channel)?.connState === CONNECTION_STATE.connected,
    now: Date.now
  })
}
