// Members of classes.
import { ReflectionKind } from 'typedoc';

/** Whether a member is described at the class that it comes from. */
export const isInherited = (one) => one.inheritedFrom !== undefined;

/** A getter is a property to those who read it. */
export function asProperty(one) {
  if (!one.kindOf(ReflectionKind.Accessor)) return;
  const { getSignature } = one;
  one.kind = ReflectionKind.Property;
  one.type = getSignature.type;
  one.comment = getSignature.comment;
  one.getSignature = undefined;
  one.setSignature = undefined;
}
