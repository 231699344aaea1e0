import { StatusLabel } from '../status-label.tsx'

interface MeterProps {
  label: string
  /** 0-1. */
  value: number
  /** The value with its unit. */
  text: string
  /** From this value on the meter shows a warning, 0-1. */
  warnFrom?: number
  /** From this value on the meter shows an error, 0-1. */
  criticalFrom?: number
}

/** A ratio as a bar with its number, for instance the load of processor, memory or disk. */
export function Meter({ label, value, text, warnFrom = 0.8, criticalFrom = 0.95 }: MeterProps) {
  const tone = value >= criticalFrom ? 'bad' : value >= warnFrom ? 'warn' : undefined
  return (
    <div className="meter">
      <span>{label}</span>
      {tone ? <StatusLabel tone={tone} text={text} /> : <span className="num">{text}</span>}
      <meter aria-label={label} aria-valuetext={text} value={value} low={warnFrom} high={criticalFrom} optimum={0} />
    </div>
  )
}
