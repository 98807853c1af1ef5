import type { VNode } from 'preact'

import type { Item } from '../api/item.js'
import { BasisTable } from './basis-table.js'
import { DerivedTable } from './derived-table.js'
import { JobsOfMaterial } from '../jobs/jobs-of-material.js'
import { LatticeTable } from './lattice-table.js'
import { StructurePicture } from './structure-picture.js'

/** What a material is, as a picture and tables. */
export const MaterialTables = ({ item }: { readonly item: Item }): VNode => (
  <div class="material-tables">
    <StructurePicture item={item} />
    <JobsOfMaterial id={item._id ?? ''} />
    <LatticeTable item={item} />
    <DerivedTable item={item} />
    <BasisTable item={item} />
  </div>
)
