import { Skeleton } from '../../ui/condition.tsx'

export function UserGroupScreen() {
  return <Skeleton />
}
