import { State } from '../state.tsx'

export interface MeterProps {
  /** What is measured. */
  label: string
  /** 0-1. */
  value: number
  /** The value in words, with its unit. */
  text: string
  /** From where on it is much, and too much. 0-1. */
  warn?: number
  bad?: number
}

/** A share as a bar with its number: processor, memory, disk. */
export function Meter({ label, value, text, warn = 0.8, bad = 0.95 }: MeterProps) {
  const tone = value >= bad ? 'bad' : value >= warn ? 'warn' : undefined
  return (
    <div className="meter">
      <span>{label}</span>
      {tone ? <State tone={tone} text={text} /> : <span className="num">{text}</span>}
      <meter aria-label={label} aria-valuetext={text} value={value} low={warn} high={bad} optimum={0} />
    </div>
  )
}
