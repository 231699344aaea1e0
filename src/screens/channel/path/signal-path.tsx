// The signal path of a channel: inputs, the picture on air, outputs, joined by lines. On a narrow screen it runs
// downwards.
import type { Channel } from '../../../../contract/stream/channel.ts'
import { InputColumn } from './inputs.tsx'
import { OnAirColumn } from './on-air.tsx'
import { OutputColumn } from './outputs.tsx'
import { Wires } from './wires.tsx'

export function SignalPath({ channel }: { channel: Channel }) {
  return (
    <div className="path">
      <InputColumn channel={channel} />
      <OnAirColumn channel={channel} />
      <OutputColumn channel={channel} />
      <Wires />
    </div>
  )
}
