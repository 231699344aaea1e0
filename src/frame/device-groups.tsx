// The tree of device groups in the menu, with the group of the current screen selected.
import { useLocation } from 'wouter'
import { CatalogTree } from '../parts/catalog-tree.tsx'
import { matchRoute } from '../paths.ts'

export function DeviceGroups() {
  const [path] = useLocation()
  const { routeName, params } = matchRoute(path)
  return <CatalogTree selected={routeName === 'groupDevices' ? params?.catalog : undefined} />
}
