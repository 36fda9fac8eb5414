//! The ring of nodes of `std::list`.

#[repr(C)]
pub struct Node {
    next: *mut Node,
    previous: *mut Node,
}

/// Puts a node before another.
#[unsafe(export_name = "backsweep.body._ZNSt8__detail15_List_node_base7_M_hookEPS0_")]
unsafe extern "C" fn hook(node: *mut Node, position: *mut Node) {
    unsafe {
        let previous = (*position).previous;
        (*node).next = position;
        (*node).previous = previous;
        (*previous).next = node;
        (*position).previous = node;
    }
}

#[unsafe(export_name = "backsweep.body._ZNSt8__detail15_List_node_base9_M_unhookEv")]
unsafe extern "C" fn unhook(node: *mut Node) {
    unsafe {
        let (next, previous) = ((*node).next, (*node).previous);
        (*previous).next = next;
        (*next).previous = previous;
    }
}

/// Moves the nodes from `first` to before `last` to before `position`.
#[unsafe(export_name = "backsweep.body._ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_")]
unsafe extern "C" fn transfer(position: *mut Node, first: *mut Node, last: *mut Node) {
    if position == last {
        return;
    }
    unsafe {
        let (before_first, last_moved, before) = ((*first).previous, (*last).previous, (*position).previous);
        (*before_first).next = last;
        (*last).previous = before_first;
        (*before).next = first;
        (*first).previous = before;
        (*last_moved).next = position;
        (*position).previous = last_moved;
    }
}

#[unsafe(export_name = "backsweep.body._ZNSt8__detail15_List_node_base10_M_reverseEv")]
unsafe extern "C" fn reverse(start: *mut Node) {
    let mut node = start;
    loop {
        unsafe {
            let next = (*node).next;
            (*node).next = (*node).previous;
            (*node).previous = next;
            node = next;
        }
        if node == start {
            return;
        }
    }
}

/// Exchanges the nodes of two lists. A list without nodes is a start that leads to itself.
#[unsafe(export_name = "backsweep.body._ZNSt8__detail15_List_node_base4swapERS0_S1_")]
unsafe extern "C" fn swap(one: *mut Node, other: *mut Node) {
    unsafe {
        let (one_full, other_full) = ((*one).next != one, (*other).next != other);
        let (first, last) = ((*one).next, (*one).previous);
        if other_full {
            take(one, (*other).next, (*other).previous);
        } else {
            take(one, one, one);
        }
        if one_full {
            take(other, first, last);
        } else {
            take(other, other, other);
        }
    }
}

/// Makes the nodes from `first` to `last` those of a list.
unsafe fn take(start: *mut Node, first: *mut Node, last: *mut Node) {
    unsafe {
        (*start).next = first;
        (*start).previous = last;
        (*first).previous = start;
        (*last).next = start;
    }
}
