// Rules that compare a value with another: specification 5. They come after the rule for the value itself:
// `(value, all) => streamKey(value) ?? differs(value, all)`. Nothing differs from nothing: two empty fields are no fault.
import type { Fault } from './rules.ts'

/** A rule that looks at the field `Field` of its form. */
type Comparison<Field extends string> = (value: string, all: Record<Field, string>) => Fault | undefined

/** Makes a rule: repeats the field, as a password that is typed twice. */
export function sameAs<Field extends string>(field: Field): Comparison<Field> {
  return (value, all) => (value === all[field] ? undefined : { name: 'different' })
}

/** Makes a rule: is not what the field holds, as the keys of two streams, where small and capital letters differ. */
export function notSameAs<Field extends string>(field: Field, name: Fault['name'] = 'same'): Comparison<Field> {
  return (value, all) => (value !== '' && value === all[field] ? { name } : undefined)
}

/** The host in an address or URL, in small letters, without the dot that may end a domain. */
function hostIn(text: string): string {
  const [, host = ''] = /^(?:[a-z][a-z0-9+.-]*:\/\/)?(?:[^/?#@]*@)?([^/?#:@]*)/i.exec(text) ?? []
  return host.toLowerCase().replace(/\.$/, '')
}

/**
 * Makes a rule: is not the host that the field holds, be they addresses, domains or URLs: two DNS or NTP servers, the domains of input
 * and output. Hosts are compared by name; what a name resolves to is not known here.
 */
export function notSameHost<Field extends string>(field: Field, name: Fault['name'] = 'same'): Comparison<Field> {
  return (value, all) => {
    const host = hostIn(value)
    return host !== '' && host === hostIn(all[field]) ? { name } : undefined
  }
}

/** Makes a rule: is none of the values in use. @param ignoreCase as for names of groups and hosts, not for keys */
export function notAmong(values: readonly string[], ignoreCase = false): (value: string) => Fault | undefined {
  const fold = (text: string) => (ignoreCase ? text.toLowerCase() : text)
  return (value) => (value !== '' && values.some((one) => fold(one) === fold(value)) ? { name: 'taken' } : undefined)
}
