// Handlers for the streams of cameras and servers that are not the vendor's and of devices that serve them, and for the
// cameras of inputs.

import { INPUT_OUTPUT_VIEW, isPermitted } from '../../../contract/access/permissions.ts'
import {
  CLIENT_OFFLINE,
  INVALID_ARG,
  NO_RESPONSE,
  NOT_EXIST,
  TARGET_TIMEOUT,
  UNSUPPORTED
} from '../../../contract/codes.ts'
import {
  addDeviceStream,
  type DeviceStream,
  inputPicture,
  listDeviceStreams,
  moveInput,
  setInputStream
} from '../../../contract/device/stream.ts'
import { streamName } from '../../../contract/rules/rules.ts'
import { formatSourceUrl, isFault, parseSourceUrl } from '../../../contract/stream/source-url.ts'
import { LinkError } from '../../../device-link/link-error.ts'
import type { Gate } from '../../auth/gate.ts'
import type { AddressedDevices } from '../../devices/address/addressed-devices.ts'
import { type AddressedStreams, servesStreams } from '../../devices/address/streams/addressed-streams.ts'
import type { ServedStream } from '../../devices/address/streams/served-streams.ts'
import { addressWithLogin, type ThirdPartyStream } from '../../devices/address/third-party/adapter.ts'
import { findInputCamera, type InputCamera, isSameStream } from '../../devices/address/third-party/input-camera.ts'
import {
  CallError,
  type Context,
  type Handler,
  handle,
  handlePreparedChange,
  requireCaller
} from '../../http/handler.ts'
import { inputSettings } from '../../store/sources.ts'
import type { Store } from '../../store/store.ts'
import { addOrReplaceInput, replaceInput } from '../stream/input.ts'
import type { PortsInUse } from '../stream/ports-in-use.ts'
import { requireSource } from '../stream/source-checks.ts'

interface DeviceStreamParts {
  store: Store
  gate: Gate
  addressedDevices: AddressedDevices
  addressedStreams: AddressedStreams
  portsInUse: PortsInUse
  applyChannel: (id: number) => Promise<void>
}

/** Runs a function that asks a camera, server or device. @throws CallError with the result code of its failure */
async function ask<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof LinkError)) throw error
    throw new CallError(error.code === TARGET_TIMEOUT ? NO_RESPONSE : error.code)
  }
}

/** A device, camera or server that offers streams. Users make inputs of these streams. */
interface StreamSource {
  name: string
  /** @throws LinkError */
  listStreams(): Promise<ThirdPartyStream[]>
  /** The address of a stream with its login; undefined if it cannot be played. */
  playAddress(stream: ThirdPartyStream): string | undefined
}

/**
 * The streams of the device with a serial number.
 * @throws CallError 16 if the device does not exist or the caller may not see it, 9 if it has no streams, 10007
 */
function requireStreams(parts: DeviceStreamParts, context: Context, sn: string): StreamSource {
  const { store, gate, addressedDevices, addressedStreams } = parts
  context.objects.push(`device:${sn}`)
  const row = store.devices.bySerial(sn)
  if (!row || !gate.canSeeDevice(requireCaller(context), row)) throw new CallError(NOT_EXIST)
  const { name } = row
  if (addressedDevices.has(sn) && servesStreams(row))
    return {
      name,
      listStreams: () => addressedStreams.listServed(sn),
      playAddress: ({ url, login }: ServedStream) => url && (login ? addressWithLogin(url, login) : url)
    }
  try {
    const client = addressedDevices.thirdParty(sn)
    return { name, listStreams: () => client.listStreams(), playAddress: (stream) => client.playAddress(stream) }
  } catch (error) {
    throw new CallError(error instanceof LinkError ? error.code : CLIENT_OFFLINE)
  }
}

/**
 * The camera of an input.
 * @throws CallError 16 if the input does not exist for the caller, 9 if it was not made of a stream of such a device
 */
async function requireCamera(parts: DeviceStreamParts, context: Context, id: number): Promise<InputCamera> {
  const { store, gate, addressedDevices } = parts
  const input = requireSource(parts, context, 'input', id, store.sources.input(id))
  context.detail = input.name
  const isVisible = (sn: string) => {
    const row = store.devices.bySerial(sn)
    return row !== undefined && gate.canSeeDevice(requireCaller(context), row)
  }
  const camera = await ask(() => findInputCamera(addressedDevices, input.url, isVisible))
  if (!camera) throw new CallError(UNSUPPORTED)
  return camera
}

function serializeStream(parts: DeviceStreamParts, context: Context, stream: ThirdPartyStream): DeviceStream {
  const { store, gate } = parts
  const { id, name, detail, live, url, ptz = false, picture = false } = stream
  const caller = requireCaller(context)
  const inputs = isPermitted(INPUT_OUTPUT_VIEW, caller.user)
    ? store.sources
        .inputs()
        .filter((input) => gate.sourcesVisibleTo(caller)(input.id) && isSameStream(stream, input.url))
        .map((input) => input.id)
    : undefined
  return {
    id,
    name,
    ...(detail && { detail }),
    ...(live !== undefined && { live }),
    playable: url !== undefined,
    ptz,
    picture,
    ...(inputs && { inputs })
  }
}

/**
 * A stream of a camera, server or device, and the address at which it is played.
 * @throws CallError as `requireStreams`, 16 if there is no such stream, 7 if it cannot be played
 */
async function requirePlayable(
  parts: DeviceStreamParts,
  context: Context,
  { sn, stream: id }: { sn: string; stream: string }
): Promise<{ device: string; stream: ThirdPartyStream; url: string }> {
  const source = requireStreams(parts, context, sn)
  const stream = (await ask(source.listStreams)).find((each) => each.id === id)
  if (!stream) throw new CallError(NOT_EXIST, { field: 'stream' })
  const url = source.playAddress(stream)
  if (url === undefined) throw new CallError(INVALID_ARG, { field: 'stream', fault: 'invalid' })
  return { device: source.name, stream, url }
}

function handleAddStream(parts: DeviceStreamParts): Handler {
  return handlePreparedChange(
    addDeviceStream,
    async (context, request) => {
      context.detail = request.sn
      const { device, stream, url } = await requirePlayable(parts, context, request)
      return { name: request.name ?? inputName(device, stream.name), url }
    },
    (context, _, { name, url }) => ({ id: addOrReplaceInput(parts, context, { name, config: { type: 1, url } }) })
  )
}

/** The address of another stream, with the transport and the buffer that the user has set for the input. */
function withOptionsOf(previous: string, url: string): string {
  const [before, after] = [parseSourceUrl(previous), parseSourceUrl(url)]
  if (isFault(before) || isFault(after)) return url
  const { tcpFirst, buffer } = before
  return formatSourceUrl({ ...after, ...(tcpFirst && { tcpFirst }), ...(buffer && { buffer }) })
}

function handleSetStream(parts: DeviceStreamParts): Handler {
  const { sources } = parts.store
  return handlePreparedChange(
    setInputStream,
    async (context, request) => (await requirePlayable(parts, context, request)).url,
    (context, { id }, address) => {
      const input = requireSource(parts, context, 'input', id, sources.input(id))
      const url = withOptionsOf(input.url, address)
      replaceInput(parts, context, id, { name: input.name, config: { type: 1, ...inputSettings(input), url } })
      return {}
    }
  )
}

/** A name that the rule for names of streams allows. */
function inputName(device: string, stream: string): string {
  let name = `${device} ${stream}`.replace(/[^\p{L}\p{N} ._-]/gu, '-').trim()
  while (streamName(name)) name = name.slice(0, -1).trim()
  return name
}

export function deviceStreamHandlers(parts: DeviceStreamParts): Handler[] {
  return [
    handle(listDeviceStreams, async (context, { sn }) => {
      const streams = await ask(requireStreams(parts, context, sn).listStreams)
      return { list: streams.map((stream) => serializeStream(parts, context, stream)) }
    }),
    handleAddStream(parts),
    handleSetStream(parts),
    handle(inputPicture, async (context, { id }) => {
      const { client, stream } = await requireCamera(parts, context, id)
      const picture = stream.picture === true ? await ask(() => client.picture(stream.id)) : undefined
      if (!picture) throw new CallError(UNSUPPORTED)
      return { picture: `data:image/jpeg;base64,${picture.toString('base64')}` }
    }),
    handlePreparedChange(
      moveInput,
      async (context, { id, pan = 0, tilt = 0, zoom = 0 }) => {
        const { client, stream } = await requireCamera(parts, context, id)
        if (stream.ptz !== true) throw new CallError(UNSUPPORTED)
        // A button that is held repeats the call. The line of its first one stands for all, and for the stop.
        context.isLogged = client.isMoving
        await ask(() => client.move(stream.id, { pan: pan / 100, tilt: tilt / 100, zoom: zoom / 100 }))
      },
      () => ({})
    )
  ]
}
