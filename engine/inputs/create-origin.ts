import type { PushedInput, WantedInput } from '../interfaces/channel.ts'
import type { Publisher, SharedPortInputs } from '../interfaces/leg-parts.ts'
import type { Ndi } from '../interfaces/ndi.ts'
import { NdiReceiver } from '../ndi/ndi-input.ts'
import { DeviceOrigin, type DeviceOriginParts } from './device-origin.ts'
import type { Origin } from './origin.ts'
import { UrlOrigin, type UrlOriginParts } from './url-origin.ts'

export type OriginParts = UrlOriginParts & DeviceOriginParts & { ndi: Ndi }

export function createOrigin(input: WantedInput, context: OriginParts): Origin {
  switch (input.kind) {
    case 'url':
      return new UrlOrigin(input, context)
    case 'device':
      return new DeviceOrigin(input, context)
    case 'pushed':
      return createPublisherOrigin(input, context)
    case 'ndi': {
      const receiver = new NdiReceiver(input.source, context)
      return {
        ...PASSIVE,
        isAvailable: () => true,
        command: () => receiver.command(),
        run: (launch, relay) => receiver.run(launch, relay)
      }
    }
  }
}

/** An origin that needs no order. */
const PASSIVE = {
  isDevice: false,
  changePushSettings: () => false,
  onStarted: async () => {},
  release: async () => {}
}

function createPublisherOrigin({ channel }: PushedInput, context: SharedPortInputs): Origin {
  const publisher = (): Publisher => {
    const connected = context.publisher(channel)
    if (!connected) throw new Error('No publisher is connected')
    return connected
  }
  return {
    ...PASSIVE,
    isAvailable: () => context.publisher(channel) !== undefined,
    command: async () => publisher().command(),
    run: async (launch, relay) => publisher().run(launch, relay)
  }
}
