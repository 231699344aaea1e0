// Rules that compare a value with other values. Apply them after the rule for the value itself:
// `(value, all) => streamKey(value) ?? differs(value, all)`. An empty value never is a fault here, even if both fields
// are empty.
import type { Fault } from './rules.ts'

/** A rule that also reads the field `Field` of the form. */
type Comparison<Field extends string> = (value: string, all: Record<Field, string>) => Fault | undefined

/** Makes a rule: equals another field, such as the confirmation of a password. */
export function sameAs<Field extends string>(field: Field): Comparison<Field> {
  return (value, all) => (value === all[field] ? undefined : { name: 'different' })
}

/** Makes a rule: differs from another field, such as a second stream key. Case-sensitive. */
export function notSameAs<Field extends string>(field: Field, name: Fault['name'] = 'same'): Comparison<Field> {
  return (value, all) => (value !== '' && value === all[field] ? { name } : undefined)
}

/** The host of an address or URL, in lower case, without a trailing dot. */
function hostOf(text: string): string {
  const [, host = ''] = /^(?:[a-z][a-z0-9+.-]*:\/\/)?(?:[^/?#@]*@)?([^/?#:@]*)/i.exec(text) ?? []
  return host.toLowerCase().replace(/\.$/, '')
}

/**
 * Makes a rule: does not have the host of another field, such as a second DNS or NTP server, or an output with the
 * domain of the input. Values are addresses, domains or URLs. Compares names and does not resolve them.
 */
export function notSameHost<Field extends string>(field: Field, name: Fault['name'] = 'same'): Comparison<Field> {
  return (value, all) => {
    const host = hostOf(value)
    return host !== '' && host === hostOf(all[field]) ? { name } : undefined
  }
}

/**
 * Makes a rule: is not one of the values in use. @param ignoreCase for names of groups and hosts; keys are
 * case-sensitive
 */
export function notAmong(values: readonly string[], ignoreCase = false): (value: string) => Fault | undefined {
  const fold = (text: string) => (ignoreCase ? text.toLowerCase() : text)
  return (value) => (value !== '' && values.some((used) => fold(used) === fold(value)) ? { name: 'taken' } : undefined)
}
