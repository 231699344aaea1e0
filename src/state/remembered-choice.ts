// Choices of how a screen is shown, which the browser remembers.
import { CACHE_PREFIX } from '../../contract/limits.ts'
import { setQuery, useQuery } from './location.ts'

/**
 * A choice that the address has, otherwise the last choice in this browser, which is kept in `localStorage`.
 * @param name of the choice, in the query and in `localStorage`
 * @param initial applies before the user has chosen
 * @param list the list that has a choice of its own in `localStorage`
 */
export function useRememberedChoice<Value extends string>(
  name: string,
  values: readonly Value[],
  initial: Value,
  list?: string
): [value: Value, choose: (value: Value) => void] {
  const key = CACHE_PREFIX + (list ? `${name}-${list}` : name)
  const wanted = useQuery().get(name) ?? localStorage.getItem(key)
  const choose = (value: Value) => {
    localStorage.setItem(key, value)
    setQuery({ [name]: value })
  }
  return [values.find((value) => value === wanted) ?? initial, choose]
}
