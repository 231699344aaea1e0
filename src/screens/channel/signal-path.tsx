// The signal path of a channel: inputs, the picture on air, outputs, joined by lines. On a narrow screen it runs
// downwards.
import { useLayoutEffect, useRef, useState } from 'react'
import type { Channel } from '../../../contract/stream/channel.ts'
import { OUTPUT_PLAYER } from '../../../contract/stream/protocols.ts'
import { AudioMeters } from '../../parts/channel/audio-meters.tsx'
import { ChannelPicture, inputOnAir } from '../../parts/channel/channel-picture.tsx'
import { isOnAir } from '../../parts/channel/channel-state.ts'
import { t } from '../../text/language.ts'
import { bitRate, number } from '../../text/numbers.ts'
import { useStore } from '../../ui/use-store.ts'
import { InputColumn } from './inputs.tsx'
import { OutputColumn } from './outputs.tsx'
import type { Flow } from './path-node.tsx'
import { TEXT } from './path-text.ts'
import { $discontinuities } from './store.ts'

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

// The picture on air with its meters and figures.
function OnAirColumn({ channel }: { channel: Channel }) {
  const live = isOnAir(channel)
  return (
    <section className="path-column path-air" aria-label={t(TEXT.picture)} data-flow={live ? 'live' : 'idle'}>
      <h2>{t(live ? TEXT.picture : TEXT.offAir)}</h2>
      <ChannelPicture channel={channel} tagged />
      {live && <AudioMeters id={channel.id} />}
      {channel.config.enable && <Figures channel={channel} isLive={live} />}
    </section>
  )
}

function Figures({ channel, isLive: live }: { channel: Channel; isLive: boolean }) {
  const counts = useStore($discontinuities).value?.columns['ts-cc-errors']?.filter((count) => count !== null)
  const keyInterval = inputOnAir(channel)?.format?.video?.['key-interval-s']
  const { clients } = channel
  const publishers = clients.list.filter(({ type }) => type !== OUTPUT_PLAYER).length
  const figures = [
    [TEXT.rate, live && bitRate(channel.kbps)],
    [TEXT.keyFrames, keyInterval !== undefined && t(TEXT.everySeconds, number(keyInterval, 1))],
    [TEXT.discontinuities, counts?.length && number(counts.reduce((sum, count) => sum + count, 0))],
    [TEXT.clients, number(clients.total - publishers)]
  ] as const
  return (
    <dl className="path-figures">
      {figures.map(([title, value]) => (
        <div key={title[0]}>
          <dt>{t(title)}</dt>
          <dd className="num">{value || '–'}</dd>
        </div>
      ))}
    </dl>
  )
}

// The lines of the signal path, from each input to the picture and from the picture to each output. They are
// decoration: the nodes say the same in words.
interface Wire {
  flow: Flow
  /** Path data. */
  d: string
}

/** Drawn one over the other. */
const FLOWS: readonly Flow[] = ['idle', 'failed', 'live']

/** The lines between the nodes of `path`, in its coordinates; none if the columns are below each other. */
function measureWires(path: Element): Wire[] {
  const frame = path.getBoundingClientRect()
  const picture = path.querySelector('.picture')?.getBoundingClientRect()
  if (!picture) return []
  const middle = picture.top + picture.height / 2 - frame.top
  return [...path.querySelectorAll<HTMLElement>('.node')].flatMap((node): Wire[] => {
    const { left, right, top, height } = node.getBoundingClientRect()
    const y = Math.round(top + height / 2 - frame.top)
    const isInput = right <= picture.left
    if (!isInput && left < picture.right) return []
    const [from, to] = isInput ? [right, picture.left] : [picture.right, left]
    const [x1, x2] = [Math.round(from - frame.left), Math.round(to - frame.left)]
    const [y1, y2] = isInput ? [y, Math.round(middle)] : [Math.round(middle), y]
    const bend = (x2 - x1) * 0.6
    return [{ flow: node.dataset.flow as Flow, d: `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}` }]
  })
}

/** Must be a child of the positioned element that contains the columns. */
function Wires() {
  const svg = useRef<SVGSVGElement>(null)
  const [wires, setWires] = useState<readonly Wire[]>([])

  function update(): void {
    const path = svg.current?.parentElement
    if (!path) return
    const next = measureWires(path)
    setWires((previous) => (JSON.stringify(previous) === JSON.stringify(next) ? previous : next))
  }

  // After each change of the channel, which can change the height of a node.
  useLayoutEffect(update)
  useLayoutEffect(() => {
    const path = svg.current?.parentElement
    if (!path || typeof ResizeObserver === 'undefined') return
    const observer = new ResizeObserver(update)
    observer.observe(path)
    return () => observer.disconnect()
  }, [])

  return (
    <svg className="wires" aria-hidden="true" ref={svg}>
      {FLOWS.flatMap((flow) =>
        wires.filter((wire) => wire.flow === flow).map(({ d }) => <path key={d} d={d} data-flow={flow} />)
      )}
    </svg>
  )
}
