import { State } from './state.tsx'

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
  const percent = Math.round(Math.min(1, Math.max(0, value)) * 100)
  return (
    <div className="meter" data-tone={tone}>
      <span>{label}</span>
      {tone ? <State tone={tone} text={text} /> : <span className="num">{text}</span>}
      {/* biome-ignore lint/a11y/useSemanticElements: the bar of a <meter> cannot be styled alike in all browsers */}
      <div
        role="meter"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        aria-valuetext={text}
        tabIndex={-1}
      >
        <i style={{ width: `${percent}%` }} />
      </div>
    </div>
  )
}
