import { findFamily } from '../../../contract/device/products.ts'
import { Icon, isIconName } from '../../ui/icon.tsx'

/**
 * The picture of a product family from the product catalogue, with the name of the family as its tooltip; nothing for
 * an unknown family.
 */
export function FamilyPicture({ module }: { module: number }) {
  const family = findFamily(module)
  return (
    family && (
      <span data-tip={family.name}>
        <Icon name={isIconName(family.pic) ? family.pic : 'devices'} />
      </span>
    )
  )
}
