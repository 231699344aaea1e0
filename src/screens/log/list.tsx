import { Skeleton } from '../../ui/condition.tsx'

export function LogScreen() {
  return <Skeleton />
}
