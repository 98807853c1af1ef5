import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'

import { AccountType } from '../store/sign-in/account.js'

/** The user of a request, and the accounts that the user can work in: in this mock, one. */
export const CurrentUser = Type.Object(
  {
    user: Type.Object({
      entity: Type.Object({
        _id: Type.String(),
        defaultAccountId: Type.String({ description: 'The _id of the default account.' }),
      }),
    }),
    accounts: Type.Array(
      Type.Object({
        entity: Type.Object({
          _id: Type.String(),
          name: Type.String({ examples: ['demo'] }),
          type: AccountType,
        }),
        isDefault: Type.Boolean(),
      }),
    ),
  },
  { $id: 'CurrentUser' },
)
export type CurrentUser = Static<typeof CurrentUser>
