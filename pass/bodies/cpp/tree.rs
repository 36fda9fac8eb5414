//! The red-black tree of `std::map` and `std::set`.
//!
//! The header is no element: its parent is the root, whose parent is the header, and its children are the leftmost and the
//! rightmost element. It is red, so that it can be told from a root, which is black.

use core::ptr::null_mut;

#[repr(C)]
pub struct Node {
    color: u32,
    parent: *mut Node,
    child: [*mut Node; 2],
}

const RED: u32 = 0;
const BLACK: u32 = 1;

const LEFT: usize = 0;
const RIGHT: usize = 1;

/// The outermost node below this one.
unsafe fn outermost(mut node: *mut Node, side: usize) -> *mut Node {
    unsafe {
        while !(*node).child[side].is_null() {
            node = (*node).child[side];
        }
    }
    node
}

/// The next element to a side that has no child there: the first ancestor seen from its other side.
unsafe fn ancestor_to(mut node: *mut Node, side: usize) -> *mut Node {
    unsafe {
        let mut above = (*node).parent;
        while node == (*above).child[side] {
            node = above;
            above = (*above).parent;
        }
        // From the only element the way leads to the header and around it.
        if side == RIGHT && (*node).child[RIGHT] == above { node } else { above }
    }
}

unsafe fn increment(node: *mut Node) -> *mut Node {
    unsafe {
        match (*node).child[RIGHT] {
            right if right.is_null() => ancestor_to(node, RIGHT),
            right => outermost(right, LEFT),
        }
    }
}

unsafe fn decrement(node: *mut Node) -> *mut Node {
    unsafe {
        let is_header = (*node).color == RED && (*(*node).parent).parent == node;
        match (*node).child[LEFT] {
            _ if is_header => (*node).child[RIGHT],
            left if left.is_null() => ancestor_to(node, LEFT),
            left => outermost(left, RIGHT),
        }
    }
}

#[unsafe(export_name = "backsweep.body._ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base")]
unsafe extern "C" fn increment_node(node: *mut Node) -> *mut Node {
    unsafe { increment(node) }
}

#[unsafe(export_name = "backsweep.body._ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base")]
unsafe extern "C" fn increment_constant_node(node: *mut Node) -> *mut Node {
    unsafe { increment(node) }
}

#[unsafe(export_name = "backsweep.body._ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base")]
unsafe extern "C" fn decrement_node(node: *mut Node) -> *mut Node {
    unsafe { decrement(node) }
}

#[unsafe(export_name = "backsweep.body._ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base")]
unsafe extern "C" fn decrement_constant_node(node: *mut Node) -> *mut Node {
    unsafe { decrement(node) }
}

/// Puts `new` where `old` was, as seen from above.
unsafe fn replace(old: *mut Node, new: *mut Node, header: *mut Node) {
    unsafe {
        let parent = (*old).parent;
        if (*header).parent == old {
            (*header).parent = new;
        } else {
            let side = usize::from((*parent).child[LEFT] != old);
            (*parent).child[side] = new;
        }
        if !new.is_null() {
            (*new).parent = parent;
        }
    }
}

/// The node goes down to a side, and its child on the other side takes its place.
unsafe fn rotate(node: *mut Node, side: usize, header: *mut Node) {
    unsafe {
        let riser = (*node).child[1 - side];
        let middle = (*riser).child[side];
        (*node).child[1 - side] = middle;
        if !middle.is_null() {
            (*middle).parent = node;
        }
        replace(node, riser, header);
        (*riser).child[side] = node;
        (*node).parent = riser;
    }
}

unsafe fn is_red(node: *mut Node) -> bool {
    !node.is_null() && unsafe { (*node).color == RED }
}

/// A color that is chosen, not moved: it is seen to be a number wherever it goes, beside whatever the elements hold.
unsafe fn color_of(node: *mut Node) -> u32 {
    if unsafe { is_red(node) } { RED } else { BLACK }
}

#[unsafe(export_name = "backsweep.body._ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_")]
unsafe extern "C" fn insert(left: bool, new: *mut Node, parent: *mut Node, header: *mut Node) {
    unsafe {
        let side = if left { LEFT } else { RIGHT };
        (*new).color = RED;
        (*new).parent = parent;
        (*new).child[LEFT] = null_mut();
        (*new).child[RIGHT] = null_mut();
        if parent == header {
            (*header).parent = new;
            (*header).child[LEFT] = new;
            (*header).child[RIGHT] = new;
        } else {
            (*parent).child[side] = new;
            if (*header).child[side] == parent {
                (*header).child[side] = new;
            }
        }
        balance_after_insertion(new, header);
    }
}

/// A red node below a red one: what is too much goes up.
unsafe fn balance_after_insertion(mut node: *mut Node, header: *mut Node) {
    unsafe {
        while node != (*header).parent && (*(*node).parent).color == RED {
            let above = (*(*node).parent).parent;
            let side = usize::from((*above).child[LEFT] != (*node).parent);
            let uncle = (*above).child[1 - side];
            (*above).color = RED;
            if is_red(uncle) {
                (*(*node).parent).color = BLACK;
                (*uncle).color = BLACK;
                node = above;
                continue;
            }
            if (*(*node).parent).child[1 - side] == node {
                node = (*node).parent;
                rotate(node, side, header);
            }
            (*(*node).parent).color = BLACK;
            rotate(above, 1 - side, header);
        }
        (*(*header).parent).color = BLACK;
    }
}

/// Takes a node out; returns it, for its memory to be freed.
#[unsafe(export_name = "backsweep.body._ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_")]
unsafe extern "C" fn erase(node: *mut Node, header: *mut Node) -> *mut Node {
    unsafe {
        for side in [LEFT, RIGHT] {
            if (*header).child[side] == node {
                (*header).child[side] = match (*node).child[1 - side] {
                    inner if inner.is_null() => (*node).parent,
                    inner => outermost(inner, side),
                };
            }
        }
        let (lost, gap, parent);
        if (*node).child[LEFT].is_null() || (*node).child[RIGHT].is_null() {
            let only = usize::from((*node).child[LEFT].is_null());
            (lost, gap, parent) = ((*node).color, (*node).child[only], (*node).parent);
            replace(node, gap, header);
        } else {
            // The next element takes its place.
            let next = outermost((*node).child[RIGHT], LEFT);
            (lost, gap) = ((*next).color, (*next).child[RIGHT]);
            if (*next).parent == node {
                parent = next;
            } else {
                parent = (*next).parent;
                replace(next, gap, header);
                (*next).child[RIGHT] = (*node).child[RIGHT];
                (*(*next).child[RIGHT]).parent = next;
            }
            replace(node, next, header);
            (*next).child[LEFT] = (*node).child[LEFT];
            (*(*next).child[LEFT]).parent = next;
            (*next).color = color_of(node);
        }
        if lost == BLACK {
            balance_after_removal(gap, parent, header);
        }
        node
    }
}

/// The paths through `node`, which may be null, have one black node less than the others.
unsafe fn balance_after_removal(mut node: *mut Node, mut parent: *mut Node, header: *mut Node) {
    unsafe {
        while node != (*header).parent && !is_red(node) {
            let side = usize::from((*parent).child[LEFT] != node);
            let mut sibling = (*parent).child[1 - side];
            if is_red(sibling) {
                (*sibling).color = BLACK;
                (*parent).color = RED;
                rotate(parent, side, header);
                sibling = (*parent).child[1 - side];
            }
            if !is_red((*sibling).child[LEFT]) && !is_red((*sibling).child[RIGHT]) {
                (*sibling).color = RED;
                node = parent;
                parent = (*node).parent;
                continue;
            }
            if !is_red((*sibling).child[1 - side]) {
                (*(*sibling).child[side]).color = BLACK;
                (*sibling).color = RED;
                rotate(sibling, 1 - side, header);
                sibling = (*parent).child[1 - side];
            }
            (*sibling).color = color_of(parent);
            (*parent).color = BLACK;
            (*(*sibling).child[1 - side]).color = BLACK;
            rotate(parent, side, header);
            break;
        }
        if !node.is_null() {
            (*node).color = BLACK;
        }
    }
}
