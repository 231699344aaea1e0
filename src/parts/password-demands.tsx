// What the hub demands of a new password besides what every password needs: each demand in words, and whether it is met.
import { useEffect } from 'react'
import { PASSWORD_MAX } from '../../contract/limits.ts'
import { NO_PASSWORD_RULES, type PasswordRules, passwordByRules } from '../../contract/password-rules.ts'
import type { Fault } from '../../contract/rules.ts'
import { $passwordRules, verify } from '../state/session.ts'
import { faultText } from '../text/faults.ts'
import { type Pair, t } from '../text/language.ts'
import { State } from '../ui/state.tsx'
import { useStore } from '../ui/use-store.ts'

const TEXT = {
  title: ['Password rules', '密码规则'],
  met: ['Met', '已满足'],
  open: ['Not met', '未满足']
} as const satisfies Record<string, Pair>

/** Those that are on or off, and the fault of a password that does not meet them. */
export const FAULT_OF = {
  lower: 'lower',
  upper: 'upper',
  digit: 'digit',
  special: 'special',
  'not-user-name': 'user-name'
} as const satisfies Partial<Record<keyof PasswordRules, Fault['name']>>

export const DEMANDS = Object.keys(FAULT_OF) as (keyof typeof FAULT_OF)[]

/** Each demand that is made: what it says, and the rules that make it alone. */
function demandsOf(rules: PasswordRules): { said: Fault; alone: Partial<PasswordRules> }[] {
  const min = rules['min-length']
  return [
    ...(min > 1 ? [{ said: { name: 'length', min, max: PASSWORD_MAX } as const, alone: { 'min-length': min } }] : []),
    ...DEMANDS.filter((demand) => rules[demand]).map((demand) => ({
      said: { name: FAULT_OF[demand] },
      alone: { [demand]: true }
    }))
  ]
}

/** The demands, ticked as one types. Nothing where the hub makes none. */
export function Demands({ password, user }: { password: string; user: string }) {
  const rules = useStore($passwordRules)
  // They may have been made since this console was loaded.
  useEffect(() => void verify(), [])
  if (!rules) return null
  return (
    <ul className="demands" aria-label={t(TEXT.title)}>
      {demandsOf(rules).map(({ said, alone }) => {
        const met = !passwordByRules({ ...NO_PASSWORD_RULES, ...alone }, user)(password)
        return (
          <li key={said.name}>
            <State tone={met ? 'good' : 'off'} text={t(met ? TEXT.met : TEXT.open)} /> {faultText(said)}
          </li>
        )
      })}
    </ul>
  )
}
