// Starting, stopping and deleting channels, and disconnecting their clients.
import { NOT_EXIST } from '../../../contract/codes.ts'
import { LOG_OFF, LOG_ON } from '../../../contract/log.ts'
import { deleteChannels, dropChannelClients, enableChannel } from '../../../contract/stream/channel.ts'
import type { EngineClient } from '../../../engine/interfaces/engine-client.ts'
import type { Gate } from '../../auth/gate.ts'
import { CallError, type Handler, handleChange, interrupting } from '../../http/handler.ts'
import type { Store } from '../../store/store.ts'
import { enforceLicense } from '../license-limits.ts'
import { deletionBy, markTrashChanged } from '../trashed.ts'
import { applyAfterCommit, markDevicesChanged, markSourcesChanged, requireChannel } from './changes.ts'

interface ChannelLifeCycleParts {
  store: Store
  gate: Gate
  engine: EngineClient
  applyChannel: (id: number) => Promise<void>
}

export function handleEnableChannel(parts: ChannelLifeCycleParts): Handler {
  const { store } = parts
  return handleChange(enableChannel, (context, request) => {
    const row = requireChannel(parts, context, request.id)
    context.detail = `${row.name} ${request.enable ? LOG_ON : LOG_OFF}`
    enforceLicense(store, () => store.channels.setEnable(row.id, request.enable))
    applyAfterCommit(parts, context, row.id)
    return {}
  })
}

export function handleDropChannelClients(parts: ChannelLifeCycleParts): Handler {
  const { engine } = parts
  const handler = handleChange(dropChannelClients, (context, request) => {
    const row = requireChannel(parts, context, request.id)
    const connected = engine.observe(row.id).clients ?? []
    const clients = connected.filter(({ id }) => request.clients.includes(id))
    context.detail = `${row.name}: ${clients.map(({ address }) => address).join(', ')}`
    if (clients.length < new Set(request.clients).size) throw new CallError(NOT_EXIST, { field: 'clients' })
    context.afterCommit(() => {
      return Promise.all(clients.map(({ id }) => engine.disconnectClient(row.id, id)))
    })
    return {}
  })
  return interrupting(dropChannelClients, handler, {
    find: (_context, { id, clients }) => ({ kind: 'clients', channel: id, ids: clients })
  })
}

export function handleDeleteChannels(parts: ChannelLifeCycleParts): Handler {
  const { channels } = parts.store
  return handleChange(deleteChannels, (context, request) => {
    const rows = [...new Set([request.id].flat())].map((id) => requireChannel(parts, context, id))
    context.detail = rows.map((row) => row.name).join(', ')
    const deletion = deletionBy(context)
    const trash = rows.map((row) => parts.store.trash.putChannel(row, deletion))
    for (const row of rows) {
      const deviceIds = channels.deviceOutputs(row.id).map(({ id }) => id)
      markDevicesChanged(parts, context, deviceIds)
      channels.remove(row.id)
      applyAfterCommit(parts, context, row.id)
    }
    markSourcesChanged(parts, context)
    markTrashChanged(parts, context)
    return { trash }
  })
}
