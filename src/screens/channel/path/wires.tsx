// The lines of the signal path, from each input to the picture and from the picture to each output. They are
// decoration: the nodes say the same in words.
import { useLayoutEffect, useRef, useState } from 'react'
import type { Flow } from './flow.ts'

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
export function Wires() {
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
