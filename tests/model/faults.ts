import type { Mode } from './seed.ts'

interface FaultInDatabase {
  /** The checkout mode of the shop while the model looks for the fault. */
  mode: Mode
  statements: readonly string[]
  /** The violation that the model reports for the fault. */
  found: RegExp
}

/** The statements of a trigger in a test database that changes rows as they are written. */
const triggerFor = (name: string, event: string, body: string) => [
  `create function public.${name}() returns trigger language plpgsql as $$ begin ${body} end $$`,
  `create trigger ${name} ${event} for each row execute function public.${name}()`,
]

/**
 * Safeguards that are removed from a test database, to prove that the model finds what they prevent. The services
 * contain nothing of this.
 */
export const FAULTS = {
  /** docs/decisions/0056: one line belongs to one order. */
  'lines-unguarded': {
    mode: 'demo',
    statements: ['alter table orders.ordered_lines drop constraint ordered_lines_pkey'],
    found: /were sold, but \d+ were put into carts|still wait in carts/,
  },
  /** The goods of an order are returned with each of two deliveries of one event. */
  'restocked-twice': {
    mode: 'demo',
    statements: triggerFor(
      'restock_twice',
      `after insert on catalog.stock_movements`,
      `if new.kind = 'returned' and pg_trigger_depth() = 1 then
         update catalog.stock set on_hand = on_hand + new.on_hand_delta where variant_id = new.variant_id;
         insert into catalog.stock_movements (variant_id, on_hand_delta, reserved_delta, kind, reference, at)
         values (new.variant_id, new.on_hand_delta, 0, 'returned', new.reference, new.at);
       end if;
       return null;`,
    ),
    found: /are on hand, but/,
  },
  /** A refund is not subtracted from the amount that can still be refunded. */
  'refunds-not-subtracted': {
    mode: 'demo',
    statements: triggerFor(
      'ignore_refunds',
      `before update of refunded_minor on orders.orders`,
      `new.refunded_minor := old.refunded_minor; return new;`,
    ),
    found: /as refunded, and its refunds are|were refunded|are captured/,
  },
  /** A second payment is recorded, but its refund is not. */
  'duplicates-kept': {
    mode: 'redirect',
    statements: triggerFor(
      'keep_duplicates',
      `before insert on orders.refunds`,
      `if new.of_duplicate then return null; end if; return new;`,
    ),
    found: /paid beside the payment of order/,
  },
} as const satisfies Record<string, FaultInDatabase>

export type Fault = keyof typeof FAULTS

export function isFault(name: string): name is Fault {
  return Object.hasOwn(FAULTS, name)
}
